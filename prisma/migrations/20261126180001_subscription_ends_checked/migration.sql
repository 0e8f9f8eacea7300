ALTER TABLE subscription VALIDATE CONSTRAINT subscription_end;
ALTER TABLE subscription VALIDATE CONSTRAINT subscription_ended_reason;
