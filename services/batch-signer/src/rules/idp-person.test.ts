import { describe, expect, test } from 'vitest'
import { idpPerson, isWholePerson, landingPage } from './idp-person.ts'

const ana = { sub: '1', preferred_username: 'ana', email: ' Ana@Example.com' }
const person = (claims: object, rolesClaim = 'roles') => idpPerson({ ...ana, ...claims }, rolesClaim)

describe('the person whom an identity provider names', () => {
  test.each([
    ['an administrator', { roles: ['Administrator'] }, ['Administrator'], null],
    ['an approver', { roles: ['Approver'] }, ['Approver'], 'ana@example.com'],
    ['both', { roles: ['x', 'Approver', 'Administrator'] }, ['Administrator', 'Approver'], 'ana@example.com'],
    ['a role that is not in a list', { roles: 'Approver' }, ['Approver'], 'ana@example.com'],
    ['an address that is verified', { roles: ['Approver'], email_verified: true }, ['Approver'], 'ana@example.com'],
    ['an administrator without e-mail', { roles: ['Administrator'], email: undefined }, ['Administrator'], null],
    [
      'both, without e-mail: the administrator remains',
      { roles: ['Administrator', 'Approver'], email: undefined },
      ['Administrator'],
      null,
    ],
  ])('has its roles from the claim alone: %s', (_, claims, roles, email) => {
    expect(person(claims)).toEqual({ name: 'ana', roles, email })
  })

  test.each([
    ['no claim', {}, 'no role'],
    ['another role', { roles: ['Operator'] }, 'no role'],
    ['other letters', { roles: ['administrator', 'APPROVER'] }, 'no role'],
    ['part of a role', { roles: 'Administrator Approver' }, 'no role'],
    ['another shape', { roles: { Administrator: true } }, 'no role'],
    ['another claim', { groups: ['Administrator'] }, 'no role'],
    ['no e-mail', { roles: ['Approver'], email: undefined }, 'approver without e-mail'],
    ['an empty e-mail', { roles: ['Approver'], email: ' ' }, 'approver without e-mail'],
    ['an e-mail that is no text', { roles: ['Approver'], email: ['a@b'] }, 'approver without e-mail'],
    ['not verified', { roles: ['Approver'], email_verified: false }, 'approver whose e-mail is not verified'],
    [
      'not verified, as text',
      { roles: ['Approver'], email_verified: 'false' },
      'approver whose e-mail is not verified',
    ],
  ])('gets nothing by %s', (_, claims, refusal) => {
    expect(person(claims)).toBe(refusal)
  })

  test('has roles under a nested claim, or one whose name is an address', () => {
    const roles = ['Administrator']
    expect(person({ realm_access: { roles } }, 'realm_access.roles')).toMatchObject({ roles })
    expect(person({ 'https://example.com/roles': roles }, 'https://example.com/roles')).toMatchObject({ roles })
    expect(person({ realm_access: 'x' }, 'realm_access.roles')).toBe('no role')
  })

  test('is called by preferred_username, and by no other claim', () => {
    const name = (preferred_username: unknown) =>
      (person({ roles: ['Administrator'], preferred_username, name: 'Ana', upn: 'a' }) as { name: string }).name
    expect([name('ana@corp'), name(' a\u0000na\n'), name('x'.repeat(900)).length]).toEqual(['ana@corp', 'ana', 200])
    for (const none of [undefined, '', ' ', 7, null]) expect(name(none)).toBe('(anonymous)')
  })
})

test('the userinfo endpoint is asked while a claim is missing', () => {
  expect(isWholePerson({ ...ana, roles: [] }, 'roles')).toBe(true)
  expect(isWholePerson(ana, 'roles')).toBe(false)
  expect(isWholePerson({ ...ana, roles: [], email: undefined }, 'roles')).toBe(false)
})

test('who is no operator lands on a page of approvers', () => {
  const [operator, approver] = [{ roles: ['Administrator', 'Approver'] }, { roles: ['Approver'] }] as const
  for (const page of ['/', '/jobs', '/approvals', '/system']) expect(landingPage(operator, page)).toBe(page)
  for (const page of ['/approvals', '/approve/1', '/approvals?tab=decided'])
    expect(landingPage(approver, page)).toBe(page)
  expect(landingPage(approver, '/jobs/1')).toBe('/approve/1')
  for (const page of ['/', '/jobs', '/jobs/', '/profiles/new', '/system'])
    expect(landingPage(approver, page)).toBe('/approvals')
})
