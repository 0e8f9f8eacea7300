-- By hand. Without the expired ones, which stay pending for good: the sweep read them all every few seconds. Locks the saved
-- cards until it is built.
CREATE INDEX tokenization_open_setup ON tokenization (setup_asked_at NULLS FIRST, id)
  WHERE status = 'pending' AND setup_ref IS NOT NULL AND NOT expiry_recorded;
