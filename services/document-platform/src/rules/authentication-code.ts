/** How long a code that was sent is good for, in minutes. */
export const CODE_MINUTES = 10
