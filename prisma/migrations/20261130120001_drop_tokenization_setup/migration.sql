-- By hand. tokenization_open_setup replaces it. Apart from that one, which can then be built by hand before the upgrade.
DROP INDEX tokenization_setup;
