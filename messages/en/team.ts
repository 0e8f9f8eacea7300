/** Who works here: members, roles, invitations. */
export default {
  invitations: {
    failed: "That did not work",
    label: "Invitations",
    title: "Invited",
    sendAgain: "Send again",
    sendAgainTitle: "Send the invitation again?",
    sendAgainText:
      "<person></person> gets a mail with a new link, good for seven days. The earlier link stops working.",
    withdraw: "Withdraw",
    withdrawTitle: "Withdraw the invitation?",
    withdrawText: "The link that <person></person> was sent stops working. You can invite again at any time.",
    expired: "Expired <when></when>",
    openUntil: "Open until <when></when>",
    more: "More for {email}",
    withdrawn: "Withdrawn: {email}",
  },
  invite: {
    title: "Invite somebody",
    action: "Invite",
    email: "E-mail",
    role: "Role",
  },
  member: {
    failed: "That did not work",
    twoFactor: "Two-factor",
    remove: "Remove",
    you: "(you)",
    removed: "Removed: {name}",
    changed: "Changed: {name}",
    more: "More for {name}",
    removeTitle: "Remove from the team?",
    changeTitle: "Change the role?",
    change: "Change role",
    removeText: "<person></person> is signed out at once and no longer sees this business. API keys stay as they are.",
  },
  page: {
    title: "Team",
    invite: "Invite somebody",
    members: "Members",
    sent: "The invitation is on its way",
    copyLink: "Copy the link",
    sentText:
      "If no mail arrives, hand over this link yourself. It works once, for seven days, and is shown now and never again.",
  },
  roles: {
    owner: {
      label: "Owner",
      says: "Everything, and who else is an owner.",
      make: "Make owner",
      becomes: "<person></person> becomes owner and has to sign in again.",
    },
    admin: {
      label: "Admin",
      says: "Everything, and the team but for its owners.",
      make: "Make admin",
      becomes: "<person></person> becomes admin and has to sign in again.",
    },
    developer: {
      label: "Developer",
      says: "Everything but the gateway account and changes of the team: also keys and refunds.",
      make: "Make developer",
      becomes: "<person></person> becomes developer and has to sign in again.",
    },
    support: {
      label: "Support",
      says: "Creates, changes and sends payment links, and sends e-mails again. Sees the rest but keys, gateway account, requests and audit log. No refunds, no charges of saved cards.",
      make: "Make support",
      becomes: "<person></person> becomes support and has to sign in again.",
    },
    viewer: {
      label: "Viewer",
      says: "Sees everything but keys, gateway account, requests and audit log, and changes nothing.",
      make: "Make viewer",
      becomes: "<person></person> becomes viewer and has to sign in again.",
    },
  },
} as const;
