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

export const readSystemManifest = {
  method: 'GET',
  path: '/api/system/manifest',
  operationId: 'readSystemManifest',
  summary: 'What this instance serves, without a key.',
  tags: ['System'],
  answer: Type.Object(
    {
      productName: Text,
      productVersion: Text,
      cultures: Type.Array(Text),
      features: Type.Array(Text, { description: 'Groups of operations, as the description names them.' }),
    },
    { $id: 'SystemManifestModel' },
  ),
  access: 'anonymous',
} as const
