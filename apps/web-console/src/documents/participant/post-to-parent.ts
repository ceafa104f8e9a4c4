import { isEmbedded } from '../../shared/frame/is-embedded.ts'
import type { SessionMark } from '../api/types.ts'

/**
 * Messages to embedding applications; each is a JSON string, because their widget reads that (document-platform facts
 * 3).
 */
export type ParentMessage =
  | { readonly type: 'documentSigned' | 'documentApproved' | 'documentRefused'; readonly id: string }
  | { readonly type: 'marksPositioned'; readonly data: readonly SessionMark[] }

export type Outcome = 'documentSigned' | 'documentApproved' | 'documentRefused'

/** Sends a message to the embedding page. The service's content security policy decides who may embed it. */
export function postToParent(message: ParentMessage): void {
  if (isEmbedded()) window.parent.postMessage(JSON.stringify(message), '*')
}
