import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAnswer } from '../api/answers.ts'

const kept = 'holdfast-organization'

/** The organization that the address names; elsewhere the one that was looked at last, or the first. */
export function useOrganization(): { readonly name: string | undefined; readonly all: readonly string[] } {
  const { organization } = useParams({ strict: false })
  const { data } = useAnswer('organizations.list', { params: { query: { 'page[size]': 100 } } })
  const all = (data?.data ?? []).map(({ attributes }) => String(attributes.name))
  useEffect(() => {
    if (organization !== undefined) localStorage.setItem(kept, organization)
  }, [organization])
  if (organization !== undefined) return { name: organization, all }
  const last = localStorage.getItem(kept) ?? undefined
  return { name: last !== undefined && (data === undefined || all.includes(last)) ? last : all[0], all }
}
