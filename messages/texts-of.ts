import type { NamespaceKeys, NestedKeyOf, useTranslations } from "use-intl";
import type en from "@/messages/en";

type Namespace = NamespaceKeys<typeof en, NestedKeyOf<typeof en>>;

/** What useTranslations returns for a namespace, for functions that are handed it: `words(t: TextsOf<"payments">)`. */
export type TextsOf<Name extends Namespace> = ReturnType<typeof useTranslations<Name>>;
