import { describe, expect, it } from "vitest";
import { isLocalhost, isLoopback, isPublic } from "@/lib/outbox/webhooks/address";
import { backoffMs, pauseAfter } from "@/lib/outbox/webhooks/schedule";

describe("pauseAfter", () => {
  it("is the schedule, a little longer by chance, and ends after three days and ten tries", () => {
    const least = backoffMs.map((_, index) => pauseAfter(index + 1, 0));
    expect(least).toEqual([5e3, 300e3, 1_800e3, 7_200e3, 18_000e3, 36_000e3, 50_400e3, 72_000e3, 86_400e3]);
    for (const [index, pause] of backoffMs.entries()) {
      const most = pauseAfter(index + 1, 0.999999) ?? 0;
      expect(most).toBeGreaterThan(pause);
      expect(most).toBeLessThanOrEqual(pause * 1.1);
    }
    expect(pauseAfter(10)).toBeNull();
    const days = backoffMs.reduce((sum, pause) => sum + pause, 0) / 86_400_000;
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(3.5);
  });
});

describe("isPublic", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "93.184.216.34",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "2606:4700::1111",
  ])("lets %s be called", (address) => expect(isPublic(address)).toBe(true));

  it.each([
    ...[
      "0.0.0.0",
      "0.1.2.3",
      "10.0.0.1",
      "100.64.0.1",
      "100.100.100.200",
      "127.0.0.1",
      "127.255.255.254",
      "169.254.169.254",
    ],
    ...[
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.1",
      "192.0.0.192",
      "192.0.2.1",
      "192.88.99.1",
      "192.168.0.1",
      "198.18.0.1",
    ],
    ...["198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"],
    ...["168.63.129.16", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1"],
    ...["64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:7f00:1::", "2001:2::1"],
    ...["2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1", "3fff::1", "5f00::1", "fc00::1"],
    ...[
      "fd00:ec2::254",
      "fe80::1",
      "fe80::1%eth0",
      "fec0::1",
      "ff02::1",
      "4000::1",
      "1000::1",
      "",
      "localhost",
      "8.8.8.8 ",
    ],
  ])("refuses %s", (address) => expect(isPublic(address)).toBe(false));
});

describe("this machine", () => {
  it.each(["localhost", "127.0.0.1", "127.1.2.3", "[::1]"])("is %s", (host) => expect(isLocalhost(host)).toBe(true));
  it.each([
    "localhost.",
    "localhost.example",
    "a.localhost",
    "0.0.0.0",
    "[::]",
    "[::ffff:127.0.0.1]",
    "10.0.0.1",
    "127.example",
  ])("is not %s", (host) => expect(isLocalhost(host)).toBe(false));
  it("is no more than loopback", () => {
    expect(["127.9.9.9", "::1"].every(isLoopback)).toBe(true);
    expect(["0.0.0.0", "::", "::ffff:127.0.0.1", "128.0.0.1", "localhost"].some(isLoopback)).toBe(false);
  });
});
