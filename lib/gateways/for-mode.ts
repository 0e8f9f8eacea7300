import type { Gateway } from "./gateway";
import { sandbox } from "./sandbox/driver";

/** The gateway that serves a mode; null while none is configured for it. Test mode always has the sandbox. */
export function gatewayFor(livemode: boolean): Gateway | null {
  return livemode ? null : sandbox;
}

const drivers: readonly Gateway[] = [sandbox];

/**
 * The gateway that an attempt was made with.
 * @throws Error when no such driver is built in: the attempt's outcome then stays unknown.
 */
export function gatewayNamed(name: string): Gateway {
  const driver = drivers.find((candidate) => candidate.name === name);
  if (!driver) throw new Error(`No gateway is called ${name}.`);
  return driver;
}
