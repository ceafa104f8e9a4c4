// Organizations, their users, applications and keys, and billing (document-platform facts 1.1, 1.3, 2).
import Type from 'typebox'
import {
  byName,
  Count,
  cleanedLine,
  Flag,
  Id,
  line,
  maybe,
  OneLine,
  orNull,
  pageOf,
  paging,
  Text,
  Time,
} from './common.ts'
import { Organization } from './models.ts'
import { Webhook, webhookAuthentication, webhookUrl } from './webhooks.ts'

const tags = ['Organizations']

/** What a PDF gets before anybody signs it: the verification code at the foot of its pages, a signature sheet, or both. */
export const verificationStamps = ['None', 'Footer', 'Page', 'FooterAndPage'] as const

export const OrganizationDetails = Type.Object(
  {
    ...Organization.properties,
    isPersonal: Flag,
    timeZone: Text,
    requireSecondFactor: Flag,
    publicDocuments: Flag,
    verificationStamp: orNull(Type.Enum([...verificationStamps])),
    creationDate: Time,
    webhooks: Type.Array(Webhook),
    billingInformation: orNull(Type.Unknown()),
  },
  { $id: 'OrganizationDetails' },
)

export const readOrganization = {
  method: 'GET',
  path: '/api/organizations/{orgId}',
  summary: 'Details of an organization, its webhooks included.',
  tags,
  answer: OrganizationDetails,
  access: 'organization.read',
  refusals: ['OrganizationNotFound'],
} as const

const BillingInformation = Type.Object(
  {
    contactName: maybe(OneLine),
    email: Type.String({ maxLength: 254 }),
    phone: cleanedLine(40),
    type: Type.Optional(Type.Enum(['Individual', 'Company'])),
    individual: maybe(Type.Object({ name: maybe(OneLine), identifier: maybe(OneLine) })),
    company: maybe(
      Type.Object({
        name: maybe(OneLine),
        identifier: maybe(OneLine),
        stateRegistration: maybe(OneLine),
        stateRegistrationExempt: maybe(Flag),
        municipalRegistration: maybe(OneLine),
        municipalRegistrationExempt: maybe(Flag),
      }),
    ),
    streetAddress: maybe(OneLine),
    addressNumber: maybe(OneLine),
    additionalAddressInfo: maybe(OneLine),
    neighborhood: maybe(OneLine),
    zipCode: OneLine,
    city: OneLine,
    state: OneLine,
    cityCode: maybe(OneLine),
    address: maybe(OneLine),
    address2: maybe(OneLine),
  },
  { $id: 'BillingInformation' },
)

export const readRights = {
  method: 'GET',
  path: '/api/rights',
  summary: 'What each role may do: everything, what involves the user, what the user created, or nothing.',
  tags,
  answer: Type.Array(
    Type.Object({
      operation: Text,
      reaches: Type.Record(Type.String(), Type.Enum(['all', 'involved', 'own', 'none'])),
    }),
  ),
  access: 'organization.read',
} as const

export const updateOrganization = {
  method: 'PUT',
  path: '/api/organizations/{orgId}',
  summary:
    'Changes name, time zone, billing information, and what the organization asks of users and allows to everybody.',
  tags,
  body: Type.Object({
    name: line(200, 1),
    timeZone: maybe(Type.String({ maxLength: 64, description: 'IANA name.' })),
    billingInformation: maybe(BillingInformation),
    requireSecondFactor: maybe(
      Type.Boolean({ description: 'Whether users need an authenticator app; without one they can only set it up.' }),
    ),
    verificationStamp: maybe(
      Type.Enum([...verificationStamps], {
        description: 'What a PDF gets before anybody signs it; null: what `Documents:VerificationStamp` says.',
      }),
    ),
    publicDocuments: maybe(
      Type.Boolean({
        description: 'Whether anybody with the verification code may read concluded documents, not only their verdict.',
      }),
    ),
  }),
  answer: OrganizationDetails,
  access: 'organization.change',
  refusals: ['OrganizationNotFound'],
} as const

export const listOrganizations = {
  method: 'GET',
  path: '/api/admin/organizations',
  summary: 'Lists the organizations of the instance.',
  tags: ['Administration'],
  query: Type.Object({ ...paging, ...byName, personal: Type.Optional(Flag) }),
  answer: pageOf(OrganizationDetails),
  access: 'administration',
} as const

export const createOrganization = {
  method: 'POST',
  path: '/api/admin/organizations',
  summary: 'Makes an organization.',
  tags: ['Administration'],
  body: Type.Object({
    name: line(200, 1),
    identifier: maybe(Type.String({ maxLength: 20, description: 'CNPJ.' })),
    timeZone: maybe(Type.String({ maxLength: 64 })),
    ownerId: maybe(Type.String({ description: 'Makes it the personal organization of this user.' })),
  }),
  answer: OrganizationDetails,
  access: 'administration',
  refusals: ['OrganizationIdentifierTaken', 'UserNotFound'],
} as const

export const deleteOrganization = {
  method: 'DELETE',
  path: '/api/admin/organizations/{orgId}',
  summary: 'Deletes an organization with its documents.',
  tags: ['Administration'],
  status: 200,
  access: 'administration',
  refusals: ['OrganizationNotFound'],
} as const

const AccessProfile = Type.Object({ administrator: maybe(Flag), manager: maybe(Flag), operator: maybe(Flag) })

const UserFields = {
  id: maybe(Id),
  name: line(200, 1),
  identifier: maybe(Type.String({ maxLength: 20, description: 'CPF.' })),
  email: Type.String({ minLength: 3, maxLength: 254 }),
  phone: maybe(cleanedLine(40)),
  password: maybe(
    Type.String({
      minLength: 10,
      maxLength: 200,
      description: 'Set by the administration of the instance alone; other users choose theirs when invited.',
    }),
  ),
}

export const OrganizationUser = Type.Object(
  {
    id: Id,
    name: Text,
    identifier: orNull(Text),
    email: orNull(Text),
    phone: orNull(Text),
    accessProfile: Type.Object({ administrator: Flag, manager: Flag, operator: Flag }),
    /** Whether somebody signs in as this user: the invitation was accepted, or the administration set a password. */
    hasAccount: Flag,
    creationDate: Time,
  },
  { $id: 'OrganizationUser' },
)

const userBody = Type.Object({ accessProfile: maybe(AccessProfile), ...UserFields })

const userRefusals = [
  'OrganizationNotFound',
  'UserNotFound',
  'LastAdministrator',
  'OperationNotSupportedInPersonalOrganizations',
  'PasswordTooCommon',
] as const

export const listOwnUsers = {
  method: 'GET',
  path: '/api/organizations/users',
  summary: 'Users of the caller’s organization.',
  tags,
  query: Type.Object({ ...paging, ...byName }),
  answer: pageOf(OrganizationUser),
  access: 'users.read',
} as const

export const addOwnUser = {
  method: 'POST',
  path: '/api/organizations/users',
  summary: 'Invites a user to the caller’s organization, or changes one.',
  tags,
  body: userBody,
  answer: OrganizationUser,
  access: 'users.change',
  refusals: userRefusals,
} as const

export const removeOwnUser = {
  method: 'DELETE',
  path: '/api/organizations/users/{userId}',
  summary: 'Removes a user from the caller’s organization.',
  tags,
  status: 200,
  access: 'users.change',
  refusals: ['UserNotFound', 'LastAdministrator'],
} as const

export const listUsersOf = {
  method: 'GET',
  path: '/api/organizations/{orgId}/users',
  summary: 'Users of an organization.',
  tags,
  query: Type.Object({ ...paging, ...byName }),
  answer: pageOf(OrganizationUser),
  access: 'users.read',
  refusals: ['OrganizationNotFound'],
} as const

export const addUserTo = { ...addOwnUser, path: '/api/organizations/{orgId}/users', summary: 'Adds a user.' } as const

export const removeUserFrom = {
  method: 'DELETE',
  path: '/api/admin/organizations/{orgId}/users/{userId}',
  summary: 'Removes a user from an organization.',
  tags: ['Administration'],
  status: 200,
  access: 'administration',
  refusals: ['OrganizationNotFound', 'UserNotFound', 'LastAdministrator'],
} as const

const UserInfo = Type.Object(
  { id: Id, name: Text, identifier: orNull(Text), email: orNull(Text), phone: orNull(Text), creationDate: Time },
  { $id: 'UserInfo' },
)

export const listUsers = {
  method: 'GET',
  path: '/api/users',
  summary: 'Everybody who signs in at the instance.',
  tags: ['Administration'],
  query: Type.Object({ ...paging, ...byName }),
  answer: pageOf(UserInfo),
  access: 'administration',
} as const

export const updateUser = {
  method: 'PUT',
  path: '/api/users/{subject}',
  summary: 'Changes the account of somebody who signs in.',
  tags: ['Administration'],
  body: Type.Object({
    name: maybe(line(200, 1)),
    email: maybe(Type.String({ maxLength: 254 })),
    phone: maybe(cleanedLine(40)),
    password: maybe(Type.String({ minLength: 10, maxLength: 200 })),
  }),
  answer: UserInfo,
  access: 'administration',
  refusals: ['UserNotFound', 'UserEmailTaken', 'PasswordTooCommon'],
} as const

export const resetSecondFactor = {
  method: 'DELETE',
  path: '/api/users/{subject}/second-factor',
  summary: 'Forgets the authenticator app and the recovery codes of somebody who lost both.',
  tags: ['Administration'],
  status: 200,
  access: 'administration',
  refusals: ['UserNotFound'],
} as const

const applicationRoles = ['Organization', 'Administration', 'Monitor', 'Billing'] as const

const Application = Type.Object(
  {
    id: Id,
    name: Text,
    role: Type.Enum([...applicationRoles]),
    folderIds: orNull(Type.Array(Id)),
    isDisabled: Flag,
    creationDate: Time,
    keys: Type.Array(
      Type.Object({
        id: Id,
        description: Text,
        creationDate: Time,
        expirationDate: orNull(Time),
        revocationDate: orNull(Time),
        lastUseDate: orNull(Time),
      }),
    ),
  },
  { $id: 'Application' },
)

const applicationPath = '/api/organizations/{orgId}/applications'

export const listApplications = {
  method: 'GET',
  path: applicationPath,
  summary: 'Applications of an organization with their keys; secrets are never shown again.',
  tags,
  answer: Type.Array(Application),
  access: 'applications.manage',
  refusals: ['OrganizationNotFound'],
} as const

export const createApplication = {
  method: 'POST',
  path: applicationPath,
  summary: 'Makes an application and its first key, which is shown in this answer alone.',
  tags,
  body: Type.Object({
    name: line(100, 1),
    role: maybe(Type.Enum([...applicationRoles])),
    folderIds: maybe(
      Type.Array(Id, { minItems: 1, maxItems: 100, description: 'Restricts the application to these folders.' }),
    ),
  }),
  answer: Type.Object({ application: Application, apiKey: Text }),
  access: 'applications.manage',
  refusals: ['OrganizationNotFound', 'ApplicationNameInvalid', 'FolderNotFound'],
} as const

export const createApplicationKey = {
  method: 'POST',
  path: `${applicationPath}/{applicationId}/keys`,
  summary: 'Makes a further key, to replace one.',
  tags,
  body: Type.Object({ description: line(200, 1), expirationDate: maybe(Text) }),
  answer: Type.Object({ id: Id, apiKey: Text }),
  access: 'applications.manage',
  refusals: ['OrganizationNotFound', 'ApplicationNotFound'],
} as const

export const revokeApplicationKey = {
  method: 'DELETE',
  path: `${applicationPath}/{applicationId}/keys/{keyId}`,
  summary: 'Revokes a key.',
  tags,
  status: 200,
  access: 'applications.manage',
  refusals: ['OrganizationNotFound', 'ApplicationNotFound', 'ApiKeyNotFound'],
} as const

const InvoiceTotal = Type.Object({
  transactionType: Text,
  price: Type.Object({
    transactionType: Text,
    pricingType: Text,
    price: orNull(Type.Number()),
    priceRanges: Type.Array(Type.Object({ limit: orNull(Count), price: Type.Number() })),
    limit: orNull(Count),
  }),
  total: Count,
  totalInTrialPeriod: Count,
  value: Type.Number(),
})

export const Invoice = Type.Object(
  {
    id: Type.Integer({ description: 'A number, as clients type it.' }),
    month: Type.Integer(),
    year: Type.Integer(),
    value: Type.Number(),
    isPaid: Flag,
    closingDate: Time,
    invoiceTotals: Type.Array(InvoiceTotal),
    organization: Organization,
  },
  { $id: 'Invoice' },
)

export const listInvoices = {
  method: 'GET',
  path: '/api/invoices',
  summary: 'Closed invoices of the instance.',
  tags: ['Billing'],
  query: Type.Object({ ...paging, organizationId: Type.Optional(Id) }),
  answer: pageOf(Invoice),
  access: 'billing',
} as const

export const payInvoice = {
  method: 'PUT',
  path: '/api/invoices/{id}/payment',
  summary: 'Marks an invoice as paid or not.',
  tags: ['Billing'],
  body: Type.Object({ isPaid: Flag }),
  status: 200,
  access: 'billing',
  refusals: ['InvoiceNotFound'],
} as const

export const setBillingWebhook = {
  method: 'PUT',
  path: '/api/admin/billing-webhook',
  summary: 'Where the instance sends InvoiceClosed; url null removes it.',
  tags: ['Billing'],
  body: Type.Object({ url: orNull(webhookUrl), ...webhookAuthentication }),
  answer: Type.Object({ webhookId: orNull(Id), secret: orNull(Text) }),
  access: 'billing',
  refusals: ['WebhookUrlNotAllowed'],
} as const

export const reportDocuments = {
  method: 'POST',
  path: '/api/reports/documents/date',
  summary: 'A CSV report of documents created in a time, by ticket.',
  tags: ['Administration'],
  body: Type.Object({ startDateUtc: Text, endDateUtc: Text }),
  answer: Type.Object({ location: Text }),
  access: 'monitoring',
} as const

export const readReport = {
  method: 'GET',
  path: '/api/reports/documents',
  summary: 'The report a ticket is for.',
  tags: ['Administration'],
  query: Type.Object({ access_ticket: Type.String({ maxLength: 4000 }) }),
  produces: 'text/csv; charset=utf-8',
  access: 'anonymous',
  refusals: ['ActionTicketInvalidOrExpired'],
} as const
