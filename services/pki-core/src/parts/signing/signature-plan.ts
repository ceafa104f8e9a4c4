import type { Appearance, CertifiedFor } from '@chancela/signature-engine/pades'
import type { Position, XPathPlace } from '@chancela/signature-engine/xades'
import type { SignatureLevel } from '../../rules/signature-policies.ts'

interface CommonPlan {
  readonly level: SignatureLevel
  /** The signer's time. */
  readonly at: string
  /** Identifies what the signature adds to the file. */
  readonly uuid: string
  /** Whether others signed the file before. */
  readonly isFurther: boolean
}

export interface PdfPlan extends CommonPlan {
  readonly type: 'Pdf'
  readonly appearance?: Omit<Appearance, 'image'>
  /** Digest of the picture of the appearance. */
  readonly image?: string
  /** A page that is added for the appearance. */
  readonly newPage?: { readonly width: number; readonly height: number }
  /** An empty field to fill, or the name of a new one. */
  readonly fieldName?: string
  readonly certify?: CertifiedFor
  readonly reason?: string
}

export interface CmsPlan extends CommonPlan {
  readonly type: 'Cms'
  readonly detached: boolean
  /** Digest of the file with the data of a detached signature that is added to. */
  readonly data?: string
  /** SHA-256 of the data, base64, where they stay elsewhere. */
  readonly dataHash?: string
}

export interface XmlPlan extends CommonPlan {
  readonly type: 'Xml'
  readonly target?: { readonly id: string }
  readonly place?: XPathPlace
  readonly insertion: Position['at']
  /** A signature of its own, which names its content by this. */
  readonly uri?: string
  /** Id of the signature. */
  readonly id?: string
  /** Without the properties of XAdES. */
  readonly isPlain?: boolean
}

/**
 * How a signature is made: with the file and the certificate it determines every byte, when it is prepared and when it
 * is completed. It is plain data, so that it can be kept between the two.
 */
export type SignaturePlan = PdfPlan | CmsPlan | XmlPlan
