"""What AWS agreed on around its protocol: how answers, keys, certificates, proxies and test doubles are found."""
