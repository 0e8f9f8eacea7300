export const resources = [
  "tokenizations",
  "payment_links",
  "packages",
  "subscriptions",
  "payments",
  "manual_payments",
  "refunds",
  "disputes",
  "payouts",
  "annotations",
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
  "search",
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
 * Each role's permission on each resource; write includes read. Sessions get their scopes from this table. A test compares
 * it with docs/people.md.
 */
export const permissions = {
  tokenizations: row("write", "write", "write", "read", "read"),
  payment_links: row("write", "write", "write", "write", "read"),
  payments: row("write", "write", "write", "read", "read"),
  manual_payments: row("write", "write", null, null, null),
  refunds: row("write", "write", "write", "read", "read"),
  disputes: row("read", "read", "read", "read", "read"),
  payouts: row("write", "write", "write", "read", "read"),
  packages: row("write", "write", "write", "read", "read"),
  subscriptions: row("write", "write", "write", "read", "read"),
  annotations: row("write", "write", "write", "write", null),
  events: row("read", "read", "read", "read", "read"),
  requests: row("read", "read", "read", null, null),
  reports: row("read", "read", "read", "read", "read"),
  customers: row("write", "write", "write", "write", "read"),
  search: row("read", "read", "read", "read", "read"),
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

/** The roles whose members each role may invite, promote, demote and remove. Only owners manage owners. */
const manageableRoles = {
  owner: roles,
  admin: ["admin", "developer", "support", "viewer"],
  developer: [],
  support: [],
  viewer: [],
} as const satisfies Record<Role, readonly Role[]>;

export const mayManage = (actor: Role, member: Role): boolean =>
  (manageableRoles[actor] as readonly Role[]).includes(member);

const peopleOnly: readonly Resource[] = ["team", "account"];

/**
 * Resources that a key gets only by a scope that names them, never by `read` or `write`. A key with api_keys:write could
 * survive its revocation, gateway accounts receive the money, the audit log is confidential, and a mark as paid releases goods
 * without a charge.
 */
const explicitOnly: readonly Resource[] = ["manual_payments", "api_keys", "gateway_accounts", "audit_log"];

const general: readonly Resource[] = resources.filter(
  (name) => !peopleOnly.includes(name) && !explicitOnly.includes(name),
);

const readOnly: readonly Resource[] = ["disputes", "events", "requests", "reports", "search", "audit_log"];

/** Nothing to read: a manual payment is read as a payment, metadata and notes with their resource. */
const writeOnly: readonly Resource[] = ["manual_payments", "annotations"];

const actionsOf = (name: Resource): readonly ("read" | "write")[] =>
  readOnly.includes(name) ? ["read"] : writeOnly.includes(name) ? ["write"] : ["read", "write"];

export const grantableScopes: readonly string[] = [
  "read",
  "write",
  ...resources
    .filter((name) => !peopleOnly.includes(name))
    .flatMap((name) => actionsOf(name).map((action) => `${name}:${action}`)),
];

function scopesOf(role: Role): readonly Scope[] {
  return resources.flatMap((name): Scope[] => {
    const permission: Permission = permissions[name][role];
    return permission ? [`${name}:${permission}`] : [];
  });
}

export const roleScopes: Record<Role, readonly Scope[]> = {
  owner: scopesOf("owner"),
  admin: scopesOf("admin"),
  developer: scopesOf("developer"),
  support: scopesOf("support"),
  viewer: scopesOf("viewer"),
};

/** Whether the granted scopes cover the wanted one. Write includes read. */
export function allows(granted: readonly string[], wanted: Scope): boolean {
  const [resource, action] = wanted.split(":") as [Resource, "read" | "write"];
  if (granted.includes(wanted) || (action === "read" && granted.includes(`${resource}:write`))) return true;
  if (!general.includes(resource)) return false;
  return granted.includes(action) || (action === "read" && granted.includes("write"));
}

/** What both the scopes and the role allow. A key has no more rights than the person who made it. */
export function scopesWithin(role: Role, scopes: readonly string[]): readonly string[] {
  const own = roleScopes[role];
  if (role === "owner" || uncoveredScopes(own, scopes).length === 0) return scopes;
  const both = (scope: Scope): boolean => allows(own, scope) && allows(scopes, scope);
  return resources.flatMap((name): Scope[] => {
    const action = (["write", "read"] as const).find((action) => both(`${name}:${action}`));
    return action ? [`${name}:${action}`] : [];
  });
}

export const mayCall = (role: Role, { scope }: { scope: Scope | null }): boolean =>
  scope === null || allows(roleScopes[role], scope);

/** The wanted scopes that the granted ones do not cover. An actor may not grant these to a new key. */
export function uncoveredScopes(granted: readonly string[], wanted: readonly string[]): string[] {
  const covered = (scope: string): boolean =>
    scope === "read" || scope === "write"
      ? general.every((resource) => allows(granted, `${resource}:${readOnly.includes(resource) ? "read" : scope}`))
      : allows(granted, scope as Scope);
  return wanted.filter((scope) => !covered(scope));
}
