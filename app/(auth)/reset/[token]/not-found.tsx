import { closedLink } from "@/app/(auth)/closed-link";

export default closedLink("auth.reset", "/forgot");
