-- By hand. audit_entry_of_resource replaces it. Apart from that one, which can then be built by hand before the upgrade.
DROP INDEX audit_entry_resource;
