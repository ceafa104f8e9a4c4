import type { SessionMark } from '../api/types.ts'

/**
 * What embedding applications are told; each as a JSON string, which is what their widget reads (document-platform
 * facts 3).
 */
export type ParentMessage =
  | { readonly type: 'documentSigned' | 'documentApproved' | 'documentRefused'; readonly id: string }
  | { readonly type: 'marksPositioned'; readonly data: readonly SessionMark[] }

export type Outcome = 'documentSigned' | 'documentApproved' | 'documentRefused'

/** Whether another page shows this one. */
export const isEmbedded = (): boolean => window.parent !== window

/** Tells the page around this one. Who may be around it, the content policy of the service decides. */
export function postToParent(message: ParentMessage): void {
  if (isEmbedded()) window.parent.postMessage(JSON.stringify(message), '*')
}
