"""Large attributes: compressed where that pays, kept in object storage above a size, whole again for whoever reads.

All of it happens between an operation and the wire. The operation writes and reads plain values; `exchange.py` goes
along with its flow, seals the values of requests and opens those of replies. So every operation, compiled codec and
companion works on large attributes without knowing of them, and an entity without any costs one test.

Why no crash leaves a reference to nothing, and every orphan is found:

    1. the new blob is stored under a key that nobody has used, and nobody but this write will ever use
    2. the item is written, at most once, with a reference to it
    3. the blobs whose references that very write took out of the item are deleted

A crash behind 1 leaves a blob without a reference, one behind 2 leaves the old blob without one: `sweep.py` finds both.
A reference is never to nothing, because it is written after its blob (1 before 2), and its blob is deleted only by
the write that took the reference out (3), which learns of it from DynamoDB: single writes are answered with the old
item, transactions demand that what they read still holds. It cannot come back: no other write has that key, and its
own is never repeated (`Call.once`) unless a token makes it happen once.
"""
