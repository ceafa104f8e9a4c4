import { systemClock } from '@chancela/service-kernel/clock'
import { createLogger } from '@chancela/service-kernel/http'
import { ProfileHolds, type ProfileHoldsOptions } from '../parts/signing/profile-holds.ts'

/** Holds that log nothing and are tried at once; by default every profile can sign. */
export const quietHolds = (probe: ProfileHoldsOptions['probe'] = async () => {}): ProfileHolds =>
  new ProfileHolds({
    clock: systemClock,
    logger: createLogger({ service: 'batch-signer', level: 'silent' }),
    probe,
    firstTryMs: 20,
  })
