import Type from 'typebox'
import { Text, Time } from './common.ts'

/** The version of the contract: the description carries it, and clients choose their paths by it. */
export const CONTRACT_VERSION = '5.0.4'

export const readSystemInfo = {
  method: 'GET',
  path: '/api/system/info',
  operationId: 'readSystemInfo',
  summary: 'Name and version, without a key.',
  tags: ['System'],
  answer: Type.Object(
    { productName: Text, productVersion: Text, spaVersion: Text, timestamp: Time },
    { $id: 'SystemInfoModel' },
  ),
  access: 'anonymous',
} as const
