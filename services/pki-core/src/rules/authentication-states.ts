import type { MoveTable } from '@chancela/service-kernel/states'

/**
 * States of an authentication of the earlier generation: waiting for a certificate and a signature that may come through
 * the browser, and ended by whoever began it. What has ended is kept until it would have expired, so that a second use is
 * told from an unknown token.
 */
export type AuthenticationState = 'Started' | 'CertificateSet' | 'Signed' | 'Ended'

export const authenticationMoves = {
  setCertificate: { from: ['Started', 'CertificateSet'], to: 'CertificateSet' },
  sign: { from: ['CertificateSet'], to: 'Signed' },
  finalize: { from: ['Signed'], to: 'Ended' },
  end: { from: ['Started', 'CertificateSet', 'Signed'], to: 'Ended' },
} as const satisfies MoveTable<AuthenticationState>
