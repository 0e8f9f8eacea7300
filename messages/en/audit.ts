export default {
  /** By the API's names. */
  action: {
    session: {
      signed_in: "Signed in",
      password_refused: "Entered a wrong password",
      code_refused: "Entered a wrong two-factor code",
      signed_out: "Signed out",
      ended: "Ended a session",
      entered: "Switched to this business",
    },
    account: {
      email_verified: "Confirmed their e-mail address",
      renamed: "Changed their name",
      password_changed: "Changed their password",
      password_reset: "Set a new password by e-mail",
      two_factor_on: "Turned two-factor sign-in on",
      two_factor_off: "Turned two-factor sign-in off",
      passkey_added: "Added a passkey",
      passkey_removed: "Removed a passkey",
      passkey_refused: "Passkey refused: it may have been copied",
      notifications_changed: "Changed their notification settings",
    },
    business: {
      registered: "Registered the business",
    },
    team: {
      invited: "Invited a member",
      invitation_resent: "Resent an invitation",
      invitation_withdrawn: "Withdrew an invitation",
      joined: "Joined the team",
      role_changed: "Changed a role",
      sessions_ended: "Ended a member’s sessions",
      removed: "Removed a member",
      left: "Left the team",
    },
    api_key: {
      created: "Created an API key",
      rotated: "Rotated an API key",
      revoked: "Revoked an API key",
      taken_over: "Took over an API key",
    },
    settings: {
      changed: "Changed the settings",
      logo_changed: "Changed the logo",
      logo_removed: "Removed the logo",
    },
    gateway_account: {
      connected: "Connected a gateway account",
      disconnected: "Disconnected a gateway account",
    },
    payment: {
      settled: "Settled a payment by hand",
      mismatch_resolved: "Resolved a payment that the gateway took after it was recorded as failed",
      reversed: "Reversed a manual payment",
    },
    unknown_charge: {
      acknowledged: "Acknowledged an unknown charge",
    },
    webhook_endpoint: {
      created: "Created a webhook endpoint",
      changed: "Changed a webhook endpoint",
      secret_rotated: "Rotated a webhook secret",
      enabled: "Enabled a webhook endpoint",
      disabled: "Disabled a webhook endpoint",
      deleted: "Deleted a webhook endpoint",
    },
    reports: {
      exported: "Exported a period for accounting",
    },
    payment_links: {
      exported: "Exported payment links",
    },
    payments: {
      exported: "Exported payments",
    },
    subscriptions: {
      exported: "Exported subscriptions",
    },
    tokenizations: {
      exported: "Exported tokenizations",
    },
    customers: {
      exported: "Exported customers",
    },
    customer: {
      changed: "Changed a customer",
      email_changed: "Changed a customer’s e-mail",
    },
    refunds: {
      exported: "Exported refunds",
    },
    disputes: {
      exported: "Exported disputes",
    },
    packages: {
      exported: "Exported packages",
    },
    payouts: {
      exported: "Exported payouts",
    },
    emails: {
      exported: "Exported e-mails",
    },
    events: {
      exported: "Exported events",
    },
    requests: {
      exported: "Exported API requests",
    },
    audit_log: {
      exported: "Exported the audit log",
    },
    payment_link: {
      marked_paid: "Marked a payment link as paid",
    },
  },
  detail: {
    label: "Entry",
    who: "Who",
    when: "When",
    about: "About",
    from: "From",
    mode: "Mode",
    resource: "Resource",
    request: "Request",
    changes: "Before and after",
    field: "Field",
    before: "Before",
    after: "After",
    live: "Live",
    test: "Test",
  },
  page: {
    title: "Audit log",
    what: "What",
    who: "Who",
    from: "From",
    to: "To",
    empty: "No entries yet",
    emptyText: "Sign-ins and changes to the team, keys, settings and webhooks appear here.",
    entry: "Entry",
    criterion: {
      day: "a date in this range",
      action: "the action “{action}”",
      actor: "the actor {actor}",
    },
    lead: "Who changed what, when and from where. Entries can’t be changed. For payments, links and subscriptions, see the <events>events</events>.",
  },
  list: {
    label: "Audit log, newest first",
    what: "What",
    about: "About",
    who: "Who",
    from: "From",
    when: "When",
  },
  words: {
    anyKey: "An API key",
    key: "Key “{name}”",
    formerMember: "A former member",
    none: "none",
  },
} as const;
