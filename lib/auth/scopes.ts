import { resources, type Scope } from "@/lib/api/endpoint";

/** What a key can be given: everything at once, or resource by resource. */
export const grantableScopes: readonly string[] = [
  "read",
  "write",
  ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
];

/** What each role of a member may do through the dashboard. */
export const roleScopes = {
  owner: ["read", "write"],
  admin: ["read", "write"],
  member: ["read", "write"],
  viewer: ["read"],
} as const satisfies Record<string, readonly string[]>;

export type Role = keyof typeof roleScopes;

/** Whether the granted scopes cover the wanted one. Who may write may read. */
export function allows(granted: readonly string[], wanted: Scope): boolean {
  const [resource, action] = wanted.split(":");
  if (granted.includes(wanted) || granted.includes(action ?? "")) return true;
  return action === "read" && (granted.includes("write") || granted.includes(`${resource}:write`));
}
