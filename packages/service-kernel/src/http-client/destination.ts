import { readUrl } from '../addresses/index.ts'
import { LruCache } from '../concurrency/index.ts'
import type { AddressPolicy } from './address-policy.ts'
import { HttpProblem } from './http-problem.ts'

/** An address that was parsed and checked, once for all calls to it: both cost more than the rest of a small call. */
export class Destination {
  readonly url: URL
  readonly origin: string
  readonly path: string
  /** Why it must not be called. */
  readonly refusal: string | undefined

  constructor(url: URL, refusal: string | undefined) {
    this.url = url
    this.origin = url.origin
    this.path = `${url.pathname}${url.search}`
    this.refusal = refusal
  }
}

type Judge = (url: URL) => string | undefined

/** Most recently called origins that are cached. */
const JUDGED_ORIGINS = 1024

/**
 * A literal address is never resolved, and responses name further addresses: each URL is checked before it is called.
 * The policy depends on nothing but origin and credentials, and most clients call one origin all day: it is cached.
 */
export function judgedOnce(policy: AddressPolicy | undefined): Judge {
  if (!policy) return () => undefined
  const judged = new LruCache<string, { readonly refusal: string | undefined }>(JUDGED_ORIGINS)
  return ({ origin, username, password, href }) => {
    if (username !== '' || password !== '') return policy.refusesUrl(href)
    const known = judged.get(origin)
    if (known) return known.refusal
    const refusal = policy.refusesUrl(href)
    judged.set(origin, { refusal })
    return refusal
  }
}

export function destinationOf(address: string | URL, judge: Judge): Destination {
  const url = typeof address === 'string' ? readUrl(address) : address
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isHttp ? new Destination(url, judge(url)) : new Destination(NOWHERE, NO_ADDRESS)
}

/** Throws where the address must not be called. */
export function admitted(address: string | URL | Destination, judge: Judge): Destination {
  const destination = address instanceof Destination ? address : destinationOf(address, judge)
  if (destination.refusal !== undefined) throw new HttpProblem('address-refused', { sentence: destination.refusal })
  return destination
}

const NO_ADDRESS = 'It is not an absolute http or https URL.'
const NOWHERE = new URL('http://invalid')
