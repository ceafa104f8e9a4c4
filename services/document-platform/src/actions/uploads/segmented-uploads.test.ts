import { expect, test } from 'vitest'
import { readSegmentRange } from './segmented-uploads.ts'

test.each([
  ['bytes 0-0/1', { first: 0, last: 0, total: 1 }],
  [' BYTES 10-19/30 ', { first: 10, last: 19, total: 30 }],
])('%j is a range', (header, range) => expect(readSegmentRange(header)).toEqual(range))

test.each([
  undefined,
  '',
  'bytes 0-9',
  'bytes 0-9/*',
  'bytes 5-4/10',
  'bytes 0-10/10',
  'bytes 0-9/10, bytes 10-19/30',
  'x-bytes 0-9/10',
  'bytes -1-9/10',
])('%j is none', (header) =>
  expect(() => readSegmentRange(header)).toThrow(expect.objectContaining({ code: 'UploadRangeInvalid' })),
)
