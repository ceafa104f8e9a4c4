import { join, resolve } from 'node:path'
import { watchAddress } from '@chancela/service-kernel/health'
import {
  BegunSignatures,
  CertificateGate,
  guardedExchange,
  openTrust,
  type Trust,
  watchOwnKey,
} from '@chancela/service-kernel/trust'
import { createTimestampClient, type TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Context } from '../../context.ts'
import { isUnmoved } from '../../store/document-reads.ts'
import { ElectronicKey } from './electronic-key.ts'
import { SigningTurns } from './signing-turns.ts'

/** What creating and validating signatures needs. */
export interface Signing {
  readonly context: Context
  readonly trust: Trust
  readonly gate: CertificateGate
  /** Undefined without a timestamp authority. */
  readonly timestamps: TimestampClient | undefined
  readonly begun: BegunSignatures
  /** Who signs a document, and who waits for it. */
  readonly turns: SigningTurns
  /** The key that seals electronic signatures. */
  readonly electronic: ElectronicKey
}

export async function openSigning(context: Context): Promise<Signing> {
  const { settings, dataFolder, logger, clock } = context
  const { TrustAnchorsFile, TimestampAuthority, AuthorityHosts } = settings.Signing
  const trust = await openTrust({
    file: TrustAnchorsFile === undefined ? undefined : resolve(dataFolder, TrustAnchorsFile),
    setting: 'document-platform Signing:TrustAnchorsFile',
    kept: join(dataFolder, 'document-platform', 'trust', 'icp-brasil.pem'),
    logger,
    clock,
    exchange: guardedExchange(AuthorityHosts),
  })
  const electronic = new ElectronicKey(context)
  await electronic.check()
  if (TimestampAuthority !== undefined) watchAddress(context, 'timestamp-authority', { url: TimestampAuthority })
  const gate = new CertificateGate(trust)
  watchOwnKey(context, { name: 'electronic-signatures', find: () => electronic.known(), gate })
  return {
    context,
    trust,
    gate,
    timestamps:
      TimestampAuthority === undefined
        ? undefined
        : createTimestampClient({ authorities: [{ url: TimestampAuthority }] }),
    begun: new BegunSignatures(),
    turns: new SigningTurns(settings.Documents, (document) => isUnmoved(context.store.db, document)),
    electronic,
  }
}
