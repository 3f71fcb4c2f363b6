#!/bin/bash
# Runs once, in the PostgreSQL container, on an empty data folder: one role and one database a service. The passwords
# are those of the addresses that the services get as their secrets.
set -euo pipefail
for service in threads posts media likes gateway; do
  address=$(<"/run/secrets/$service-database")
  password=${address#*://*:}
  password=${password%%@*}
  psql --set=ON_ERROR_STOP=1 --quiet --username="$POSTGRES_USER" --dbname=postgres <<SQL
create role $service login password '$password';
create database $service owner $service;
revoke all on database $service from public;
SQL
done
psql --set=ON_ERROR_STOP=1 --quiet --username="$POSTGRES_USER" --dbname=postgres \
  --command='revoke connect on database postgres, template1 from public'
