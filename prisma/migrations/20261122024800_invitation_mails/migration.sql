-- How often somebody was invited by mail, by whichever businesses (lib/team/invitations.ts).
CREATE INDEX email_invitations ON email ("to", created_at) WHERE template = 'invitation';
