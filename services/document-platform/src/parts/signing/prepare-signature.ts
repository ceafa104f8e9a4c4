import type { Prepared } from '@chancela/signature-engine'
import { prepareCades, prepareCoSignature } from '@chancela/signature-engine/cades'
import { drawAppearance, type PreparePadesOptions, preparePades } from '@chancela/signature-engine/pades'
import type { Certificate } from '@chancela/signature-engine/x509'
import { locateElement, type Place, prepareXades } from '@chancela/signature-engine/xades'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import type { SignaturePlan, XmlPlan } from './signature-plan.ts'

/** Whose key signs. */
export interface KeyHolder {
  readonly certificate: Certificate
  /** Issuers to include, nearest first. */
  readonly chain: readonly Certificate[]
}

type Prepare = (file: Uint8Array, holder: KeyHolder, plan: SignaturePlan) => Promise<Prepared<unknown>>

/** The bytes the key has to sign. The same file, key and plan always give the same bytes. */
export const prepareSignature: Prepare = (file, holder, plan) => formats[plan.format](file, holder, plan)

const formats: Readonly<Record<SignatureFormat, Prepare>> = {
  Pades: async (file, { certificate, chain }, { level, at, uuid, permits, marks = [], reason }) => {
    const [appearance, ...stamps] = await Promise.all(marks.map(drawAppearance))
    const options: PreparePadesOptions = {
      now: new Date(at),
      level: level === 'B-T' ? 'B-T' : 'B-B',
      chain,
      uuid,
      stamps,
      ...(permits && { permits }),
      ...(appearance && { appearance }),
      ...(reason !== undefined && { reason }),
    }
    return preparePades(file, certificate, options)
  },
  Cades: async (file, { certificate, chain }, { at, isFurther }) => {
    const options = { now: new Date(at), chain }
    return isFurther ? prepareCoSignature(file, certificate, options) : prepareCades(file, certificate, options)
  },
  Xades: async (file, { certificate, chain }, { level, at, uuid, xml }) => {
    const { at: insertion, parallel } = xml!
    const target = await targetOf(file, xml!)
    return prepareXades(file, certificate, {
      now: new Date(at),
      level,
      chain,
      uuid,
      parallel,
      position: { at: insertion, ...(target && { of: target }) },
      ...(target && { target }),
    })
  },
}

async function targetOf(file: Uint8Array, { target }: XmlPlan): Promise<Place | undefined> {
  return target && 'xpath' in target ? locateElement(file, target.xpath, target.namespaces) : target
}
