/** How long the link of a password reset lasts, in minutes. */
export const RESET_MINUTES = 60

/** Mails of that kind to one address in that time: nobody fills another's mailbox with them. */
export const MOST_RESETS = 3
