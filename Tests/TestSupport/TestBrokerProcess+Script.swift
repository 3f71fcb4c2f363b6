extension TestBrokerProcess {
    /// Keeps one Kafka node: `script HOME DIRECTORY PORT`. Each line that it reads is a command, `kill` or `start`;
    /// it answers `up` or `down` for the state that it has brought about, the first time without being asked.
    static let script = """
        home=$1 directory=$2 port=$3
        trap '' PIPE # whoever would hear "up" may be gone by then, and the broker must be stopped all the same
        mkdir -p "$directory"
        cat >"$directory/server.properties" <<PROPERTIES
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:$((port + 1))
        listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$((port + 1))
        advertised.listeners=PLAINTEXT://127.0.0.1:$port
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
        log.dirs=$directory/data
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=10
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        group.initial.rebalance.delay.ms=0
        auto.create.topics.enable=false
        PROPERTIES
        start() {
          "$home/bin/kafka-server-start.sh" "$directory/server.properties" >"$directory/log" 2>&1 </dev/null &
          broker=$!
          until grep -q "Kafka Server started" "$directory/log"; do
            kill -0 $broker 2>/dev/null || { tail -n 5 "$directory/log" >&2; echo down; return; }
            sleep 0.1
          done
          echo up
        }
        stop() { kill -9 $broker; wait $broker 2>/dev/null; }
        "$home/bin/kafka-storage.sh" format -t "$("$home/bin/kafka-storage.sh" random-uuid)" \\
          -c "$directory/server.properties" >"$directory/log" 2>&1 || cat "$directory/log" >&2
        start
        while read -r command; do
          case $command in
          start) start ;;
          kill) stop; echo down ;;
          esac
        done
        stop
        rm -rf "$directory"
        """
}
