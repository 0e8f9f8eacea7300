import type en from "@/messages/en";

declare module "use-intl" {
  interface AppConfig {
    Messages: typeof en;
  }
}
