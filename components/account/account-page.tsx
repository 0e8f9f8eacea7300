"use client";

import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { Panel } from "@/components/shell/panel";
import { useAccount } from "@/lib/account/queries";
import { NameForm } from "./name-form";
import { PasswordForm } from "./password-form";
import { Sessions } from "./sessions";
import { TwoFactor } from "./two-factor";

/** What a person decides about themselves, whatever business they look at. */
export function AccountPage() {
  const account = useAccount();
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">Your account</h1>
      {account.isPending ? (
        <Skeleton what="your account" />
      ) : account.isError ? (
        <LoadFailure what="account" query={account} />
      ) : (
        <>
          <Panel title="Profile" lead="How your colleagues see you.">
            <NameForm account={account.data} />
          </Panel>
          <Panel title="Password" lead="A new one signs you out everywhere else.">
            <PasswordForm email={account.data.email} />
          </Panel>
          <Panel
            title="Two-factor sign-in"
            lead="Signing in then takes a code of your phone besides the password: a stolen password alone opens nothing."
          >
            <TwoFactor account={account.data} />
          </Panel>
          <Panel title="Sessions" lead="Where you are signed in. What you do not know, end; then change your password.">
            <Sessions />
          </Panel>
        </>
      )}
    </>
  );
}
