import type { Amounts } from "./scale-seed";

/** How much data each part of the benchmark works with, and how often it repeats. */
export interface Sizes {
  /** Payment links of the business that the requests and the pages read. */
  links: number;
  /** Subscriptions of the business that the pages read. */
  subscriptions: number;
  /** Subscriptions that fall due at once, and the numbers of servers that charge them. */
  due: number;
  servers: number[];
  /** Subscriptions of which none is due, the businesses they belong to, and how often the query for due ones runs. */
  notDue: number;
  businesses: number;
  looks: number;
  /** Payments that the reports add up. */
  payments: number;
  reports: number;
  /** Paid periods of the subscriptions whose timelines are read. */
  histories: number[];
  timelines: number;
  /** A business with few rows and one with many, and how often each page of theirs is read. */
  scale: { few: Amounts; much: Amounts; times: number };
}

export const full: Sizes = {
  links: 100_000,
  subscriptions: 2_000,
  due: 10_000,
  servers: [1, 2, 4],
  notDue: 1_000_000,
  businesses: 10_000,
  looks: 500,
  payments: 1_000_000,
  reports: 100,
  histories: [10, 250, 2_500],
  timelines: 50,
  scale: {
    few: { links: 10_000, subscriptions: 10_000, events: 10_000, others: 10_000 },
    much: { links: 10_000_000, subscriptions: 1_000_000, events: 10_000_000, others: 1_000_000 },
    times: 7,
  },
};

/** Enough for the answers of every part; too little for a time that means anything. */
export const small: Sizes = {
  links: 200,
  subscriptions: 60,
  due: 40,
  servers: [1],
  notDue: 2_000,
  businesses: 200,
  looks: 3,
  payments: 2_000,
  reports: 2,
  histories: [10, 20],
  timelines: 2,
  scale: {
    few: { links: 200, subscriptions: 200, events: 200, others: 200 },
    much: { links: 2_000, subscriptions: 2_000, events: 2_000, others: 2_000 },
    times: 1,
  },
};
