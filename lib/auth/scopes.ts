/** What a scope is about, by the names of the API. */
export const resources = [
  "tokenizations",
  "payment_links",
  "packages",
  "subscriptions",
  "payments",
  "refunds",
  "test_clock",
  "settings",
  "gateway_accounts",
  "audit_log",
  "events",
  "requests",
  "webhook_endpoints",
  "emails",
  "reports",
  "customers",
  "api_keys",
  "team",
  "account",
] as const;
export type Resource = (typeof resources)[number];
export type Scope = `${Resource}:${"read" | "write"}`;

export const roles = ["owner", "admin", "developer", "support", "viewer"] as const;
export type Role = (typeof roles)[number];

type Permission = "write" | "read" | null;

/**
 * What each role may do, resource by resource; write includes read. The one table: sessions get their scopes from it, and
 * docs/people.md shows it (a test holds the two together).
 */
export const permissions = {
  tokenizations: row("write", "write", "write", "read", "read"),
  payment_links: row("write", "write", "write", "write", "read"),
  payments: row("write", "write", "write", "read", "read"),
  refunds: row("write", "write", "write", "read", "read"),
  packages: row("write", "write", "write", "read", "read"),
  subscriptions: row("write", "write", "write", "read", "read"),
  events: row("read", "read", "read", "read", "read"),
  requests: row("read", "read", "read", null, null),
  reports: row("read", "read", "read", "read", "read"),
  customers: row("read", "read", "read", "read", "read"),
  emails: row("write", "write", "write", "write", "read"),
  webhook_endpoints: row("write", "write", "write", "read", "read"),
  test_clock: row("write", "write", "write", "read", "read"),
  settings: row("write", "write", "write", "read", "read"),
  gateway_accounts: row("write", "write", null, null, null),
  audit_log: row("read", "read", "read", null, null),
  api_keys: row("write", "write", "write", null, null),
  team: row("write", "write", "read", "read", "read"),
  account: row("write", "write", "write", "write", "write"),
} as const satisfies Record<Resource, Record<Role, Permission>>;

function row(owner: Permission, admin: Permission, developer: Permission, support: Permission, viewer: Permission) {
  return { owner, admin, developer, support, viewer };
}

/** Whom a role may invite, promote, demote and remove. Only owners make owners. */
const appoints = {
  owner: roles,
  admin: ["admin", "developer", "support", "viewer"],
  developer: [],
  support: [],
  viewer: [],
} as const satisfies Record<Role, readonly Role[]>;

/** Whether somebody of role `who` has a say over those of role `whom`. */
export const appointable = (who: Role, whom: Role): boolean => (appoints[who] as readonly Role[]).includes(whom);

/** What people have and keys never: colleagues and themselves. */
const peopleOnly: readonly Resource[] = ["team", "account"];

/**
 * What a key is only given by name: keys that can make keys outlive their revocation, a gateway account is where the money
 * goes, and the audit log is not every system's to read.
 */
const byName: readonly Resource[] = ["api_keys", "gateway_accounts", "audit_log"];

/** What `read` and `write` stand for. */
const general: readonly Resource[] = resources.filter((name) => !peopleOnly.includes(name) && !byName.includes(name));

/** What nobody writes: it comes about. */
const readOnly: readonly Resource[] = ["events", "requests", "reports", "customers", "audit_log"];

/** What a key can be given: everything general at once, or resource by resource. */
export const grantableScopes: readonly string[] = [
  "read",
  "write",
  ...resources
    .filter((name) => !peopleOnly.includes(name))
    .flatMap((name) => (readOnly.includes(name) ? [`${name}:read`] : [`${name}:read`, `${name}:write`])),
];

function scopesOf(role: Role): readonly Scope[] {
  return resources.flatMap((name): Scope[] => {
    const permission: Permission = permissions[name][role];
    return permission ? [`${name}:${permission}`] : [];
  });
}

/** What each role may do through the dashboard, as scopes. */
export const roleScopes: Record<Role, readonly Scope[]> = {
  owner: scopesOf("owner"),
  admin: scopesOf("admin"),
  developer: scopesOf("developer"),
  support: scopesOf("support"),
  viewer: scopesOf("viewer"),
};

/** Whether the granted scopes cover the wanted one. Who may write may read. */
export function allows(granted: readonly string[], wanted: Scope): boolean {
  const [resource, action] = wanted.split(":") as [Resource, "read" | "write"];
  if (granted.includes(wanted) || (action === "read" && granted.includes(`${resource}:write`))) return true;
  if (!general.includes(resource)) return false;
  return granted.includes(action) || (action === "read" && granted.includes("write"));
}

/** Whether somebody of a role may call an endpoint, as its contract says. */
export const mayCall = (role: Role, { scope }: { scope: Scope | null }): boolean =>
  scope === null || allows(roleScopes[role], scope);

/** Which of the wanted scopes, also general ones, the granted ones do not cover: what nobody may pass on. */
export function beyond(granted: readonly string[], wanted: readonly string[]): string[] {
  const covered = (scope: string): boolean =>
    scope === "read" || scope === "write"
      ? general.every((resource) => allows(granted, `${resource}:${readOnly.includes(resource) ? "read" : scope}`))
      : allows(granted, scope as Scope);
  return wanted.filter((scope) => !covered(scope));
}
