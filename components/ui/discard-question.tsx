import type en from "@/messages/en";
import { later } from "./later";

export type Loss = keyof (typeof en)["ui"]["discard"];

export interface DiscardQuestionProps {
  /** What would be lost. */
  of: Loss;
  open: boolean;
  onDecide: (discard: boolean) => void;
}

/** Before something is lost by leaving it. */
export const DiscardQuestion = later(
  () => import("./discard-question-opened").then(({ DiscardQuestionOpened }) => DiscardQuestionOpened),
  ({ onDecide }) => onDecide(false),
);
