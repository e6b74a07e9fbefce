-- Made from the code by `npm run gen`. A changed query shows here, so that a reviewer sees it.

-- identity.alias-by-name (:mountAccessor, :nameKey)
select * from "entity_aliases" where "mount_accessor" = $1 and "name_key" = $2;

-- tokens.by-id (:id)
select * from "tokens" where "id" = $1;
