import { ask } from './acting-for.ts'
import { addressOf } from './lists.ts'
import type { NewPartnership, Partnership } from './types.ts'

export const proposePartnership = (body: NewPartnership) => ask<Partnership>('POST', '/api/partnerships', { body })

export const acceptPartnership = (id: string) => ask<Partnership>('POST', `${addressOf('partnerships', id)}/acceptance`)
