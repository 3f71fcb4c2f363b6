/// One role and one database a service, both of its name; a role can connect to its own database and to no other.
struct RoleStore: Sendable {
    let cluster: PostgresCluster

    /// Makes what is missing and sets the passwords to those given.
    func apply(_ passwords: [String: String]) async throws {
        var script = "revoke connect on database postgres, template1 from public;\n"
        for (role, password) in passwords.sorted(by: { $0.key < $1.key }) {
            script += """
                select 'create role \(role)' where not exists (select from pg_roles where rolname = '\(role)') \\gexec
                alter role \(role) login password '\(password)';
                select 'create database \(role) owner \(role)'
                    where not exists (select from pg_database where datname = '\(role)') \\gexec
                revoke all on database \(role) from public;

                """
        }
        let psql = self.cluster.installation.program(
            "psql",
            [
                "--host=127.0.0.1", "--port=\(self.cluster.port)", "--username=\(PostgresCluster.superuser)",
                "--dbname=postgres", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-",
            ],
            environment: ["PGPASSWORD": self.cluster.password, "PGOPTIONS": "-c client_min_messages=warning"]
        )
        try await Tool.run(psql, input: script, log: self.cluster.log)
    }
}
