"""Why a design is what it is: decisions with their price, alternatives, questions, advice for its builders."""
