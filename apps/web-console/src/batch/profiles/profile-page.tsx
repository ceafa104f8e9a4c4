import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { createProfile, profileQuery, saveProfile } from '../api/profiles.ts'
import type { Profile } from '../api/types.ts'
import { emptyDraft } from './profile-draft.ts'
import { ProfileForm } from './profile-form.tsx'
import { ProfileState } from './profile-state.tsx'
import classes from './profiles.module.css'

/** View and edit one profile. */
export function ProfilePage() {
  const { t } = useTranslation('batch-profiles')
  const { name } = useParams({ from: '/shell/profiles/$name' })
  const profile = useQuery(profileQuery(name))
  const { data } = profile
  return (
    <>
      <PageHead title={t('one', { name })} above={<BackLink />} lead={data && <ProfileState profile={data} />} />
      <Queried query={profile} lines={10}>
        {(stored) => <EditForm key={name} profile={stored} />}
      </Queried>
    </>
  )
}

function EditForm({ profile }: { profile: Profile }) {
  const queries = useQueryClient()
  return (
    <ProfileForm
      profile={profile}
      save={async (draft, secrets, version) => {
        const saved = await saveProfile(draft, version, secrets)
        queries.setQueryData(profileQuery(profile.name).queryKey, saved)
        return saved
      }}
      reload={() => queries.fetchQuery({ ...profileQuery(profile.name), staleTime: 0 })}
    />
  )
}

/** The form for a new profile. */
export function NewProfilePage() {
  const { t } = useTranslation('batch-profiles')
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={t('newTitle')} above={<BackLink />} lead={t('newLead')} />
      <ProfileForm
        initial={emptyDraft}
        save={(draft, secrets) => createProfile(draft, secrets)}
        onSaved={({ name }) => void navigate({ to: '/profiles/$name', params: { name }, ignoreBlocker: true })}
      />
    </>
  )
}

function BackLink() {
  const { t } = useTranslation('batch-profiles')
  return (
    <Link to="/profiles" className={classes.back!}>
      <ArrowLeft size={16} aria-hidden="true" /> {t('back')}
    </Link>
  )
}
