ALTER TABLE posting VALIDATE CONSTRAINT posting_accounts;
