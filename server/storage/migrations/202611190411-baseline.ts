import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Replaced } from '../migrate.ts'

/** All tables, as the migrations that are replaced had made them one after another. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const text = readFileSync(new URL('./202611190411-baseline.sql', import.meta.url), 'utf8').replace(/^--.*\n/gm, '')
  for (const statement of text.split(/;\s*/).filter(Boolean)) {
    await sql
      .raw(statement.replace(typeOfColumn, (_all, name: keyof ColumnTypes) => nameOf(types[name], db)))
      .execute(db)
  }
}

/** The second word of a column; the first may be the same, as the column `text` shows. */
const typeOfColumn = /(?<=[(,]\s*\w+ )(text|integer|bytes|real)\b/g

const nameOf = (type: ColumnTypes[keyof ColumnTypes], db: Kysely<unknown>): string => sql`${type}`.compile(db).sql

/** What a database from before the baseline holds. */
export const replaces: Replaced = {
  lastVersion: 'commit 383718ae',
  migrations: [
    '202611150000-storage',
    '202611150001-jobs',
    '202611150100-seal',
    '202611150110-mounts',
    '202611150120-policies',
    '202611150130-identity',
    '202611150140-tokens',
    '202611150150-audit-devices',
    '202611150155-entity-merges',
    '202611150156-rate-quotas',
    '202611150200-people',
    '202611150210-organizations',
    '202611150220-teams',
    '202611150230-api-tokens',
    '202611150240-change-log',
    '202611150250-agent-pools',
    '202611150300-cert-auth',
    '202611150300-connections',
    '202611150310-workspaces',
    '202611150320-workspace-tags',
    '202611150400-snapshots',
    '202611150410-restored-tokens',
    '202611150500-state-versions',
    '202611150510-oauth-codes',
    '202611150700-ssh-keys',
    '202611150710-variables',
    '202611150720-oauth-ssh-keys',
    '202611150800-lock-expiry',
    '202611150900-certificate-sign-in',
    '202611151000-agent-tokens',
    '202611151100-one-index-of-ending-locks',
    '202611151200-index-of-soft-deleted-states',
    '202611151300-cross-origin',
    '202611160030-sessions-of-tokens',
    '202611161130-outputs-of-encrypted-state',
    '202611170500-plans-of-version-control',
    '202611170510-sso-team-ids',
    '202611171000-builds-of-releases',
    '202611171010-suspended-people',
    '202611180650-snapshots-that-do-not-restore',
    '202611180700-rollbacks-of-state',
    '202611180800-ids-of-linked-teams',
    '202611180820-codes-of-sessions',
    '202611181030-access-to-variable-sets',
    '202611181100-installation',
    '202611181200-indexes-of-state-content',
    '202611181330-changes-of-a-subject',
    '202611181400-logins-of-moved-mounts',
    '202611181530-indexes-of-list-filters',
    '202611181900-rekey',
    '202611190319-indexes-of-ending-tokens',
    '202611190400-verified-addresses',
    '202611190410-links-of-invitations',
  ],
}
