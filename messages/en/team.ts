export default {
  invitations: {
    failed: "Something went wrong",
    label: "Invitations",
    title: "Pending invitations",
    sendAgain: "Resend",
    sendAgainTitle: "Resend the invitation?",
    sendAgainText:
      "<person></person> gets an e-mail with a new link, valid for seven days. The earlier link stops working.",
    withdraw: "Withdraw",
    withdrawTitle: "Withdraw the invitation?",
    withdrawText: "The link sent to <person></person> stops working. You can invite them again at any time.",
    expired: "Expired <when></when>",
    openUntil: "Expires <when></when>",
    more: "Actions for {email}",
    withdrawn: "Withdrawn: {email}",
  },
  invite: {
    title: "Invite teammate",
    action: "Invite",
    email: "E-mail",
    role: "Role",
  },
  member: {
    failed: "Something went wrong",
    twoFactor: "Two-factor",
    remove: "Remove",
    you: "(you)",
    removed: "Removed: {name}",
    changed: "Changed: {name}",
    more: "Actions for {name}",
    removeTitle: "Remove from the team?",
    changeTitle: "Change the role?",
    change: "Change role",
    removeText: "<person></person> is signed out now and loses access to this business. API keys stay as they are.",
  },
  page: {
    title: "Team",
    invite: "Invite teammate",
    members: "Members",
    sent: "Invitation sent",
    copyLink: "Copy link",
    sentText: "If no e-mail arrives, share this link yourself. It works once, for seven days. You won’t see it again.",
  },
  roles: {
    owner: {
      label: "Owner",
      description: "Full access, including who is an owner.",
      make: "Make owner",
      becomes: "<person></person> becomes owner and has to sign in again.",
    },
    admin: {
      label: "Admin",
      description: "Full access, including the team, except owners.",
      make: "Make admin",
      becomes: "<person></person> becomes admin and has to sign in again.",
    },
    developer: {
      label: "Developer",
      description:
        "Full access, including keys and refunds, except the gateway account, marking links as paid and team changes.",
      make: "Make developer",
      becomes: "<person></person> becomes developer and has to sign in again.",
    },
    support: {
      label: "Support",
      description:
        "Creates, edits and sends payment links, and resends e-mails. Can view the rest, except keys, gateway account, requests and audit log. No refunds, charges or marking as paid.",
      make: "Make support",
      becomes: "<person></person> becomes support and has to sign in again.",
    },
    viewer: {
      label: "Viewer",
      description: "Read-only. Can’t view keys, gateway account, requests or audit log.",
      make: "Make viewer",
      becomes: "<person></person> becomes viewer and has to sign in again.",
    },
  },
} as const;
