"use client";

import type { ReactNode } from "react";
import { later } from "./later";

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Room for something beside a form, where the screen has it. */
  wide?: boolean;
  children: ReactNode;
}

/**
 * A panel from the right, the whole screen on a phone. A click beside it does not close it, and before a form closes in which
 * something was typed, it asks.
 */
export const Sheet = later(
  () => import("./sheet-opened").then(({ SheetOpened }) => SheetOpened),
  ({ onOpenChange }) => onOpenChange(false),
);
