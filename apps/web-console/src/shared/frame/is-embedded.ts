/** Whether another page shows this one. */
export const isEmbedded = (): boolean => window.parent !== window
