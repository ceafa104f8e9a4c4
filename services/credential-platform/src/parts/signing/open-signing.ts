import { join, resolve } from 'node:path'
import { watchAddress } from '@chancela/service-kernel/health'
import {
  BegunSignatures,
  CertificateGate,
  guardedExchange,
  openTrust,
  type Trust,
} from '@chancela/service-kernel/trust'
import { createTimestampClient, type TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Context } from '../../context.ts'

/** What creating and judging signatures needs. */
export interface Signing {
  readonly trust: Trust
  readonly gate: CertificateGate
  /** Undefined without a timestamp authority. */
  readonly timestamps: TimestampClient | undefined
  readonly begun: BegunSignatures
}

export async function openSigning(context: Context): Promise<Signing> {
  const { settings, dataFolder, logger, clock } = context
  const { TrustAnchorsFile, TimestampAuthority, AuthorityHosts } = settings.Signing
  const trust = await openTrust({
    file: TrustAnchorsFile === undefined ? undefined : resolve(dataFolder, TrustAnchorsFile),
    setting: 'credential-platform Signing:TrustAnchorsFile',
    kept: join(dataFolder, 'credential-platform', 'trust', 'icp-brasil.pem'),
    logger,
    clock,
    exchange: guardedExchange(AuthorityHosts),
  })
  if (TimestampAuthority !== undefined) watchAddress(context, 'timestamp-authority', { url: TimestampAuthority })
  const authorities = TimestampAuthority === undefined ? [] : [{ url: TimestampAuthority }]
  return {
    trust,
    gate: new CertificateGate(trust),
    timestamps: authorities.length === 0 ? undefined : createTimestampClient({ authorities }),
    begun: new BegunSignatures(),
  }
}
