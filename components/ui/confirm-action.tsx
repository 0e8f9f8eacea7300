"use client";

import type { ReactNode } from "react";
import { later } from "./later";

export interface ConfirmActionProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen. */
  children: ReactNode;
  action: string;
  /** Whether something is lost by it. */
  destructive?: boolean;
  busy: boolean;
  onConfirm: () => void;
}

/**
 * Says what an action will do before it does it. Unlike ui/confirm, its way out is not called "Cancel": what it asks about
 * may itself be a cancellation.
 */
export const ConfirmAction = later(
  () => import("./confirm-action-opened").then(({ ConfirmActionOpened }) => ConfirmActionOpened),
  ({ onOpenChange }) => onOpenChange(false),
);
