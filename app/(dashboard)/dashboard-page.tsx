import { notFound, redirect } from "next/navigation";
import type { ComponentType } from "react";
import { addressOf, type SearchParams } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import type { SignedIn } from "@/lib/auth/session";
import type { Endpoint } from "@/lib/http/endpoint";
import { titled } from "@/messages/server";
import { currentSession, requireSession } from "./session";

export interface PageProps {
  searchParams: SearchParams;
}

export interface DetailPageProps extends PageProps {
  params: Promise<{ id: string }>;
}

/** Requires a session, with a second factor if the business does: the sign-in leads back to this address. A role that may not call `endpoint` gets a 404. */
export async function openPage(path: string, searchParams: SearchParams, endpoint?: Endpoint): Promise<SignedIn> {
  const session = await requireSession(await addressOf(path, searchParams));
  if (session.lacksSecondFactor) redirect("/two-factor");
  if (endpoint && !mayCall(session.role, endpoint)) notFound();
  return session;
}

/** `titled` of a page that only some roles may open: the others get the title of not-found.tsx. */
export const titledFor = (endpoint: Endpoint, key: Parameters<typeof titled>[0]) => async () => {
  const session = await currentSession();
  return titled(session && !mayCall(session.role, endpoint) ? "notAllowed" : key)();
};

export const detailPage = (list: string, Page: ComponentType<{ id: string }>, endpoint?: Endpoint) =>
  async function DetailPage({ params, searchParams }: DetailPageProps) {
    const { id } = await params;
    await openPage(`${list}/${encodeURIComponent(id)}`, searchParams, endpoint);
    return <Page id={id} />;
  };
