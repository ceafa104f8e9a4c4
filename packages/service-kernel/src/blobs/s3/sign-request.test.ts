import { describe, expect, test } from 'vitest'
import { signedHeaders } from './sign-request.ts'

// The examples of the AWS documentation ("Authenticating Requests: Using the Authorization Header").
const key = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const now = new Date('2013-05-24T00:00:00.000Z')
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const host = 'https://examplebucket.s3.amazonaws.com'

describe('the signature of a request', () => {
  test.each([
    [
      'for a part of an object',
      { method: 'GET', url: `${host}/test.txt`, headers: { range: 'bytes=0-9' }, bodyDigest: nothing },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'with a body',
      {
        method: 'PUT',
        url: `${host}/test%24file.text`,
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        bodyDigest: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'with a parameter without a value',
      { method: 'GET', url: `${host}/?lifecycle`, headers: {}, bodyDigest: nothing },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'with parameters',
      { method: 'GET', url: `${host}/?max-keys=2&prefix=J`, headers: {}, bodyDigest: nothing },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s is the one of the description', (_name, request, signature) => {
    const headers = signedHeaders({ ...request, url: new URL(request.url) }, key, now)
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request,SignedHeaders=[a-z0-9;-]+,/,
    )
    expect(headers.authorization!.split('Signature=')[1]).toBe(signature)
  })
})
