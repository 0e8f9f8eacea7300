import type { ReactNode } from "react";
import type { GuideSampleId } from "./samples";

export interface Card {
  number: string;
  group: string;
  label: string;
}

/** A guide shows its samples in the reader's language. */
export interface GuideProps {
  baseUrl: string;
  testCards: readonly Card[];
  sample: (id: GuideSampleId) => ReactNode;
}
