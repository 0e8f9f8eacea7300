import { createContext, useContext } from "react";
import { mayCall, type Role } from "@/lib/auth/scopes";
import type { Mode } from "@/lib/client/call";
import type { Endpoint } from "@/lib/http/endpoint";

/** The role of whoever is signed in. */
export const OwnRole = createContext<Role>("viewer");

export const useOwnRole = (): Role => useContext(OwnRole);

/** The mode that the page shows. */
export const ShownMode = createContext<Mode>("test");

export const useMode = (): Mode => useContext(ShownMode);

/** Whether whoever is signed in may call an endpoint: what the API would refuse is not offered. */
export function useMay(): (endpoint: Pick<Endpoint, "scope">) => boolean {
  const role = useOwnRole();
  return (endpoint) => mayCall(role, endpoint);
}
